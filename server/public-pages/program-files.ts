import { setImmediate as breathe } from 'node:timers/promises';
import { type PublicContent, publicAddress } from '#shared/contract/public-pages.ts';
import type { Contents } from './site.ts';

/** What programs and assistants look for at known addresses. */

/** More pages of operations are not in llms-full.txt: the OpenAPI document has them. */
const maxOperations = 200;

const groupOf = ({ kind }: PublicContent): string =>
  kind === 'operation'
    ? 'Operations'
    : kind === 'reference' || kind === 'tag'
      ? 'References'
      : kind === 'guide'
        ? 'Guides'
        : 'Pages';

/** The pages with their titles (llmstxt.org). `describe`: of a page in English. Others are served between two pages. */
export async function llmsOf(
  contents: Contents,
  providerName: string,
  portalUrl: string,
  describe: (path: string) => { title: string; description: string },
): Promise<string> {
  const groups = new Map<string, string[]>();
  for (const [path, content] of contents) {
    const { title, description } = describe(path);
    const group = groupOf(content('en'));
    const lines = groups.get(group) ?? [];
    lines.push(`- [${title}](${portalUrl}${publicAddress(path, 'en')}.md): ${description}`);
    groups.set(group, lines);
    await breathe();
  }
  const sections = [...groups].map(([group, lines]) => `## ${group}\n\n${lines.join('\n')}\n`);
  const head = `# ${providerName}\n\n> APIs, prices and documentation of ${providerName}. Each page is Markdown at its address with .md at the end.\n`;
  return [head, ...sections].join('\n');
}

/** Are its operations few enough to read the page of each? */
export const hasAllOperations = (contents: Contents): boolean =>
  [...contents.values()].filter((content) => content('en').kind === 'operation').length <= maxOperations;

/** Every page as Markdown, in one file. Others are served between two pages. */
export async function llmsFullOf(
  contents: Contents,
  portalUrl: string,
  markdown: (path: string) => string,
): Promise<string> {
  const hasAll = hasAllOperations(contents);
  const isLeftOut = ({ kind }: PublicContent): boolean =>
    // What changes by the minute would be old in a file.
    kind === 'status' || (kind === 'operation' && !hasAll);
  const paths = [...contents].flatMap(([path, content]) => (isLeftOut(content('en')) ? [] : [path]));
  const texts: string[] = [];
  for (const path of paths) {
    texts.push(`<!-- ${portalUrl}${publicAddress(path, 'en')} -->\n\n${markdown(path)}`);
    await breathe();
  }
  return texts.join('\n---\n\n');
}
