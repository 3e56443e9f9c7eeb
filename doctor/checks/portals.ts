import { type Check, fault, fine, type Finding, unchecked } from '#doctor/finding.ts';
import { differingSettings, givenToPortal } from '#server/document-settings.ts';
import { readRunningPortals } from '#server/running-portals.ts';

export const portals: Check = {
  name: 'portals',
  about:
    'do all running portals have the same settings of documents (INVOICE_PREFIX, SUPPLIER_…, E_INVOICE_…) and the same rules (OPERATOR_APPROVAL_RUPEES, OPERATOR_SEE_AS, KEEP_…), and those given here?',
  examine: async ({ db, env }): Promise<Finding[]> => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const running = await readRunningPortals(db);
    const [newest, ...others] = running;
    if (newest === undefined) return [unchecked('No portal runs.')];
    const findings = others.flatMap(({ name, given }): Finding[] => {
      const names = differingSettings(newest.given, given);
      if (names.length === 0) return [];
      return [
        fault(
          `The portals ${newest.name} and ${name} run with different settings: ${names.join(', ')}.`,
          'Each issues documents with its own settings, in the same series of numbers, and commands that issue documents refuse; of rules, each applies its own, and of OPERATOR_APPROVAL_RUPEES the strictest counts in all.',
          'Give every machine the same octroi.env, and restart the portals whose settings are the wrong ones.',
        ),
      ];
    });
    const names = differingSettings(newest.given, givenToPortal(env));
    if (names.length > 0)
      findings.push(
        fault(
          `The running portal ${newest.name} has other settings than those given here: ${names.join(', ')}.`,
          'Documents are issued with those of the portal; what is examined here is not what customers see.',
          'Restart the portals after a change of the settings, or run this with the settings of the portal.',
        ),
      );
    return findings.length > 0 ? findings : [fine(`${running.length} portals have these settings.`)];
  },
};
