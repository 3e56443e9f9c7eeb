import { counter, cycle, fault, planted, type PlantedFault } from './planted-faults.ts';

const paid = () => cycle(planted.paid);
const trial = () => cycle(planted.trial);
const counted = (where: string) =>
  `insert into usage_counts (activation_id, cycle_id, key_id, day, status_class, counted, calls, last_at, units)
    select activation_id, id, 'KEY-X', from_date, 2, true, 7, now(), 7 from cycles where ${where}`;
const taken = (where: string, units: number) => [counter('cycle', units, where), counter('day', units, where)];

/** Counters that were set directly: the customer could call more, or less, than was sold. */
export const plantedQuotaFaults: readonly PlantedFault[] = [
  fault(
    'the used units of a cycle were deleted',
    () => [counted(paid())],
    /cycle \S+ has taken nothing, and 7 were counted or are held/,
  ),
  fault(
    'the used units of a cycle were lowered',
    () => [
      counted(paid()),
      ...taken(paid(), 7),
      `update quota_counters set taken = 6 where taken = 7 and kind = 'cycle'`,
    ],
    /cycle \S+ has taken 6, and 7 were counted or are held/,
  ),
  fault(
    'the used units of a day were lowered',
    () => [
      counted(paid()),
      ...taken(paid(), 7),
      `update quota_counters set taken = 0 where taken = 7 and kind = 'day'`,
    ],
    /activation \S+ has taken 0 on \S+, and 7 were counted or are held/,
  ),
  fault(
    'a count of units was lowered',
    () => [counted(trial()), ...taken(trial(), 7), `update usage_counts set units = 1 where key_id = 'KEY-X'`],
    /cycle \S+ has taken 7, and 1 were counted or are held/,
  ),
  fault(
    'the used free units of a day were raised',
    () => [counter('free-day', 9, trial())],
    /customer \S+ has taken 9 free units of \S+ on \S+, and 0 were counted or are held/,
  ),
  fault(
    'the used free units of thirty days were raised',
    () => [counter('free-window', 9, trial())],
    /customer \S+ has taken 9 free units of \S+ from \S+, and 0 were counted or are held/,
  ),
];
