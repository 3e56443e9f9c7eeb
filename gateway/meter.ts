import { isCounted, outcomeOf, statusClass } from '#domain/metering.ts';
import type { Admitted } from './admit.ts';
import type { CallMeter } from './forward.ts';
import type { Journal } from './journal.ts';
import type { CallNote } from './call-note.ts';
import type { QuotaDesk } from './quota-desk.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { CallTally } from './store.ts';

/** It counted, or it is given back: follows one admitted call to its end. */
export function meterCall(
  { access, cycle, book, lease, day, dayEndsAt }: Admitted,
  desk: QuotaDesk,
  journal: Journal,
  now: () => number,
  note: CallNote,
): CallMeter {
  let onDisk = false;
  let brokeOff = false;
  let countedStatus = 0;

  const entry = (status: number, counted: boolean, calls: number): CallTally => ({
    activation: access.activationId,
    cycle: cycle.id,
    key: access.keyId,
    lease: lease.keyId,
    day,
    class: statusClass(status),
    counted,
    calls,
    lastMs: now(),
  });

  /** The same call again, but as a failure that does not count. */
  const takeBack = (): void => {
    journal.append(entry(countedStatus, true, -1), (fault) => {
      if (fault === undefined) desk.undo(lease);
    });
    journal.append(entry(502, false, 1));
    note(countedStatus, false, 'broke-off');
  };

  return {
    answered: (status, replayed, go) => {
      if (!isCounted(status, replayed)) {
        desk.giveBack(lease);
        journal.append(entry(status, false, 1));
        note(status, false, outcomeOf(status, replayed));
        go();
        return;
      }
      countedStatus = status;
      desk.use(lease);
      journal.append(entry(status, true, 1), (fault) => {
        if (fault !== undefined) desk.undo(lease);
        else {
          onDisk = true;
          note(status, true, outcomeOf(status, replayed));
        }
        if (onDisk && brokeOff) takeBack();
        go(fault);
      });
    },
    failed: (callerLeft) => {
      desk.giveBack(lease);
      // Nobody was answered when the caller left first.
      if (callerLeft) note(499, false, 'caller-left');
      else {
        journal.append(entry(502, false, 1));
        note(0, false, 'failed');
      }
    },
    turnedAway: () => desk.giveBack(lease),
    broken: () => {
      if (countedStatus === 0) return;
      brokeOff = true;
      if (onDisk) takeBack();
    },
    addFields: (head) => {
      head.push(...rateLimitHeaders(cycle, book, lease, now(), dayEndsAt));
    },
  };
}

/** What tells the product that a call is a test. Callers cannot send it: fields of this kind are taken from their calls. */
export const testFields: readonly string[] = ['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true'];

/** A call of a test key is forwarded and takes nothing. */
export function meterTestCall(note: CallNote): CallMeter {
  return {
    answered: (status, _replayed, go) => {
      note(status, false, 'test');
      go();
    },
    failed: (callerLeft) => note(callerLeft ? 499 : 0, false, 'test'),
    broken: () => {},
    turnedAway: () => {},
    addFields: (head) => {
      head.push(...testAnswerFields);
    },
  };
}

const testAnswerFields: readonly string[] = ['Octroi-Mode', 'test'];
