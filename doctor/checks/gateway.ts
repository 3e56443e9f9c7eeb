import type { Product } from '#catalog/catalog.ts';
import { secretPlaces } from '#gateway/config.ts';
import { faultsOf, readUpstreamOptions } from '#gateway/upstream/upstream-options.ts';
import { listLeftJournals } from '#shared/database/left-journals.ts';
import { type Check, fault, fine, type Finding, inRelease, unchecked, warning } from '#doctor/finding.ts';
import { runningGateways } from '#doctor/probe.ts';
import { isInProgramFolder } from '#shared/platform/release-folder.ts';
import { differenceOf } from '#server/catalog-proposal.ts';

export const journals: Check = {
  name: 'journals',
  about: 'journals of gateways that ended and still hold quota of customers',
  examine: async ({ db }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const found = await listLeftJournals(db);
    if (found.length === 0) return [fine('No ended gateway holds quota.')];
    return found.map(({ id, held }) =>
      warning(
        `A gateway ended without settling the journal ${id}, which holds ${held} calls of quota.`,
        'Customers cannot use these calls, and the last calls of that gateway are not counted yet.',
        'Start that gateway again on its journal folder. If its machine is gone: octroi journals settle FOLDER --reason "…"',
      ),
    );
  },
};

export const gateways: Check = {
  name: 'gateways',
  about: 'gateways that run, and whether they follow changes of access and of the catalogue',
  examine: async ({ db }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const running = await runningGateways(db);
    if (running.length === 0)
      return [
        fault(
          'No gateway is connected to this database.',
          'Calls of customers fail.',
          'Start a gateway with this DATABASE_URL.',
        ),
      ];
    const findings = running.flatMap(({ id, unconfirmed, fault: fails, products_fault: lacks }): Finding[] => [
      ...(unconfirmed > 0
        ? [
            warning(
              `The gateway ${id} did not confirm ${unconfirmed} changes in time.`,
              'It was cut off and has refused calls meanwhile: it or its network is overloaded.',
              'Look at its processor, its network to PostgreSQL and its log; restart it.',
            ),
          ]
        : []),
      ...(fails === null
        ? []
        : [
            fault(
              `The gateway ${id} cannot serve a version of the catalogue: ${fails}.`,
              'The version before stays in effect.',
              'Give it what is missing, most often a secret in its environment, and apply the catalogue again.',
            ),
          ]),
      ...(lacks?.split('\n') ?? []).map((each) =>
        fault(
          `The gateway ${id} refuses the calls of a product: ${each}`,
          'They get 503 (api-not-set-up) and are not counted; other products are served.',
          'Correct the file where that gateway runs, and it takes the product up in seconds; or set the variable there and restart it.',
        ),
      ),
    ]);
    return findings.length > 0 ? findings : [fine(`${running.length} gateways follow every change.`)];
  },
};

export const catalogue: Check = {
  name: 'catalogue',
  about:
    'what is on sale, the files of the catalogue that differ from it, and, while no gateway runs, the secrets that they name',
  examine: async ({ catalogFaults, catalog, unreadable, env, db, isProduction, portal: { catalogDir = '' } }) => {
    const findings = catalogFaults.map((each) =>
      fault(
        each,
        'The changed files are not in effect; a first start fails.',
        'Correct the file; octroi catalog check lists every fault.',
      ),
    );
    if (unreadable !== undefined)
      findings.push(
        fault(
          unreadable.message,
          'Portals and gateways of this version do not start.',
          'Correct its files and apply them.',
        ),
      );
    const difference = db && catalogFaults.length === 0 ? await differenceOf(db, catalogDir) : undefined;
    if (difference !== undefined)
      findings.push(
        warning(
          [difference.sentence, ...difference.changes].join('\n'),
          'Customers see and buy what is on sale, not what the files say.',
          'Put the files on sale with octroi catalog apply, or what is on sale into the folder with octroi catalog show VERSION --to FOLDER.',
        ),
      );
    if (isProduction && isInProgramFolder(catalogDir)) findings.push(inRelease('CATALOG_DIR', catalogDir));
    // Gateways that run say themselves what they lack (check gateways): they may be on other machines than this.
    const running = db === undefined ? [] : await runningGateways(db);
    if (catalog !== undefined && running.length === 0) {
      for (const each of faultsOf(readUpstreamOptions(catalog.products, secretPlaces({ env }))))
        findings.push(
          fault(
            each,
            'No gateway runs, and one that starts here refuses the calls of this product.',
            'Set the variable or create the file where the gateways run.',
          ),
        );
    }
    if (catalog !== undefined) findings.push(...catalog.products.flatMap(oddQuotas));
    return findings.length > 0 ? findings : [fine(`${catalog?.products.length ?? 0} products without faults.`)];
  },
};

/** Most likely the two were exchanged, or a zero is missing. */
function oddQuotas({ id, plans }: Product): Finding[] {
  return plans
    .filter(({ dailyQuota, monthlyQuota }) => dailyQuota > monthlyQuota)
    .map((plan) =>
      warning(
        `The plan ${plan.planId} of ${id} has a daily quota of ${plan.dailyQuota} above its monthly quota of ${plan.monthlyQuota}.`,
        'Customers are promised a day that they can never have: the month ends first.',
        `Correct dailyQuota or monthlyQuota in ${id}.yaml, then: octroi catalog apply`,
      ),
    );
}
