import { TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { isColour, standard, themeOf } from './brand-colours.ts';

/** Input for a colour, with the adjusted shade if its contrast is insufficient. */
export function ColourField({
  value,
  onChange,
  problem,
}: {
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
}) {
  const t = useTranslations('branding');
  const colour = value.trim();
  const isGood = colour === '' || isColour(colour);
  const shades =
    isGood && colour !== ''
      ? ([themeOf(colour, 'light').accent, themeOf(colour, 'dark').accent] as const)
      : undefined;
  const isShifted = shades?.some((shade) => shade !== colour.toLowerCase()) ?? false;
  return (
    <>
      <div className="colour-field">
        <input
          type="color"
          aria-label={t('pick')}
          value={isGood && colour !== '' ? colour : standard.light.accent}
          onChange={({ target }) => onChange(target.value)}
        />
        <TextField
          label={t('colour')}
          placeholder="#1f6b4f"
          value={value}
          onChange={onChange}
          problem={isGood ? problem : t('colourForm')}
        />
      </div>
      <p className="soft">
        {isShifted && shades ? t('shifted', { light: shades[0], dark: shades[1] }) : t('colourHint')}
      </p>
    </>
  );
}
