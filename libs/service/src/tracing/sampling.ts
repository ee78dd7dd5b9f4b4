import type { Sampler } from '@opentelemetry/sdk-trace';
import { makeValidator, str } from 'envalid';

/** Samplers of the OpenTelemetry specification that need only the collector. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Selection of recorded traces. */
export interface Sampling {
  name?: (typeof samplers)[number];
  /** Share of traces from 0 to 1, for the samplers with a ratio. */
  ratio?: number;
}

const share = makeValidator<number>((input) => {
  const ratio = Number(input);
  if (!/^\d*\.?\d+$/.test(input) || ratio > 1) throw new Error('must be a number from 0 to 1');
  return ratio;
});

/** Sampling variables, named as in the OpenTelemetry specification. */
export const samplingEnv = {
  OTEL_TRACES_SAMPLER: str({
    choices: samplers,
    default: 'parentbased_always_on',
    desc: 'Sampler of traces. The `parentbased` samplers follow the decision of the caller and apply their own rule to requests without one.',
  }),
  OTEL_TRACES_SAMPLER_ARG: share({
    default: 1,
    desc: 'Share of traces that `traceidratio` and `parentbased_traceidratio` record, from 0 to 1.',
  }),
};

/**
 * Returns the sampler for new spans. @param sdk passed in, because it is loaded only if traces are recorded
 */
export function samplerOf(
  sdk: typeof import('@opentelemetry/sdk-trace'),
  { name = 'parentbased_always_on', ratio = 1 }: Sampling,
): Sampler {
  const root = name.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased') ? new sdk.ParentBasedSampler({ root }) : root;
}
