import { setImmediate as breathe } from 'node:timers/promises';
import { type PublicContent, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import type { Portal } from '#server/portal.ts';
import type { Site } from './site.ts';

/** What programs and assistants look for at known addresses. */

/** More pages of operations are not in llms-full.txt: the OpenAPI document has them. */
const maxOperations = 200;

const groupOf = ({ kind }: PublicContent): string =>
  kind === 'operation' ? 'Operations' : kind === 'reference' ? 'References' : kind === 'guide' ? 'Guides' : 'Pages';

/** The pages with their titles (llmstxt.org). `describe`: of a page in English. Others are served between two pages. */
export async function llmsOf(
  site: Site,
  providerName: string,
  portalUrl: string,
  describe: (path: string) => { title: string; description: string },
): Promise<string> {
  const groups = new Map<string, string[]>();
  for (const [path, content] of site.pages) {
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
export const hasAllOperations = ({ pages }: Site): boolean =>
  [...pages.values()].filter((content) => content('en').kind === 'operation').length <= maxOperations;

/** Every page as Markdown, in one file. Others are served between two pages. */
export async function llmsFullOf(
  site: Site,
  portalUrl: string,
  markdown: (path: string) => Promise<string>,
): Promise<string> {
  const hasAll = hasAllOperations(site);
  const isLeftOut = ({ kind }: PublicContent): boolean =>
    // What changes by the minute would be old in a file.
    kind === 'status' || (kind === 'operation' && !hasAll);
  const paths = [...site.pages].flatMap(([path, content]) => (isLeftOut(content('en')) ? [] : [path]));
  const texts: string[] = [];
  for (const path of paths) {
    texts.push(`<!-- ${portalUrl}${publicAddress(path, 'en')} -->\n\n${await markdown(path)}`);
    await breathe();
  }
  return texts.join('\n---\n\n');
}

/** Where the APIs are, with their documents (RFC 9727, RFC 9264). */
export function apiCatalogOf(products: readonly PublicProduct[], portalUrl: string): string {
  const linkset = products.map(({ id, baseUrl, documentationUrl }) => ({
    anchor: baseUrl,
    'service-desc': [{ href: documentationUrl, type: 'application/json' }],
    'service-doc': [{ href: `${portalUrl}/apis/${id}`, type: 'text/html' }],
  }));
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}

const securityDays = 180;

/** Whom to tell about a fault in security (RFC 9116). */
export function securityOf({ settings, machineClock }: Pick<Portal, 'settings' | 'machineClock'>): string {
  const expires = new Date(machineClock() + securityDays * 86_400_000).toISOString();
  return [
    `Contact: mailto:${settings.supportEmail}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en, hi',
    `Canonical: ${settings.portalUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
