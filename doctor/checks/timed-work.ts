import { type Check, fine, type Finding, fault, unchecked, warning } from '#doctor/finding.ts';
import { keepsFailing, listFailedWork } from '#server/rounds/failed-work.ts';

const shown = 10;

export const timedWork: Check = {
  name: 'timed-work',
  about: 'work that is due by time alone and fails: invoices of started plans, reminders, settlements, clean-up',
  examine: async ({ db }): Promise<Finding[]> => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const failed = await listFailedWork(db);
    if (failed.length === 0) return [fine('No work that is due by time fails.')];
    const findings = failed.slice(0, shown).map((work) => {
      const { step, item, failures, since, retry_at: retryAt, error } = work;
      const what = item === '' ? `“${step}” fails` : `“${step}” fails for ${item}`;
      return (keepsFailing(work) ? fault : warning)(
        `${what} since ${since.toISOString()}, ${failures} times: ${error}`,
        item === ''
          ? 'Nothing of it happens for anybody.'
          : 'It doesn’t happen for this one; the others are not affected.',
        `Mend the cause. It is tried again by itself, next at ${retryAt.toISOString()}.`,
      );
    });
    if (failed.length > shown)
      findings.push(
        fault(
          `${failed.length - shown} more such failures.`,
          'They may have the same cause.',
          'Mend those above first.',
        ),
      );
    return findings;
  },
};
