import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What axe finds wrong on a page, by tags or by single rules. The legacy mode looks at frames of our own origin alone, and needs no second
 * page for each look; without the details of rules that hold, a look takes a third of the time.
 */
export async function axeFaults(page: Page, type: 'tag' | 'rule', values: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ runOnly: { type, values }, resultTypes: ['violations'] });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
