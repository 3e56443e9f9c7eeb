import { type Check, fault, fine, type Finding, unchecked } from '#doctor/finding.ts';
import { differingSettings, givenToPortal } from '#server/document-settings.ts';
import { hasRunningPortal, readPortals } from '#server/running-portals.ts';

export const portals: Check = {
  name: 'portals',
  about:
    'do all running portals have the same settings of documents (INVOICE_PREFIX, SUPPLIER_…, E_INVOICE_…), and those given here?',
  examine: async ({ db, env }): Promise<Finding[]> => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    if (!(await hasRunningPortal(db))) return [unchecked('No portal runs.')];
    const running = await readPortals(db);
    const [inEffect, ...others] = running;
    if (inEffect === undefined) return [];
    const findings = others.flatMap(({ name, given }): Finding[] => {
      const names = differingSettings(inEffect.given, given);
      if (names.length === 0) return [];
      return [
        fault(
          `The portals ${inEffect.name} and ${name} run with different settings: ${names.join(', ')}.`,
          `Those of ${inEffect.name} are in effect, as they are the newest. ${name} issues no document: payments that it takes wait for another portal, and commands that issue documents refuse.`,
          'Give every machine the same octroi.env, and restart the portals whose settings are the wrong ones.',
        ),
      ];
    });
    const names = differingSettings(inEffect.given, givenToPortal(env));
    if (names.length > 0)
      findings.push(
        fault(
          `The running portal ${inEffect.name} has other settings than those given here: ${names.join(', ')}.`,
          'Documents are issued with those of the portal; what is examined here is not what customers see.',
          'Restart the portals after a change of the settings, or run this with the settings of the portal.',
        ),
      );
    return findings.length > 0 ? findings : [fine(`${running.length} portals have these settings.`)];
  },
};
