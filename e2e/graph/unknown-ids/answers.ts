import { without } from './ids.ts';

/** Returns the parts of a response that must not depend on the id. */
async function answerTo(response: Response, id: string): Promise<string> {
  const { status, headers } = response;
  const whole = await response.text();
  // Pages contain random values.
  const said = /<title>.*<\/title>/.exec(whole)?.[0] ?? whole;
  const text = without(said, id).replaceAll(encodeURIComponent(id), id.length < 3 ? id : '<id>');
  return JSON.stringify([status, headers.get('content-type'), headers.get('www-authenticate'), text]);
}

/** Requests each id in turn and compares the responses with that of the first, an unknown id. */
export async function sameForAll(
  ids: readonly string[],
  ask: (id: string) => Promise<Response>,
): Promise<{ expected: string | undefined; others: string[] }> {
  const answers: string[] = [];
  for (const id of ids) answers.push(await answerTo(await ask(id), id));
  const [expected, ...rest] = answers;
  return {
    expected,
    others: rest.flatMap((answer, index) =>
      answer === expected ? [] : [`${ids[index + 1]}: ${answer} instead of ${expected}`],
    ),
  };
}
