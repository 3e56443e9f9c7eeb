import { Radio, Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { Cycle } from '#shared/contract/cycles.ts';
import type { Day } from '#shared/domain/day.ts';
import choice from '#web/features/cycles/plan-choice.module.css';
import classes from '#web/features/cycles/start-choice.module.css';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { lazyComponent } from '#web/ui/load-code.ts';

// The calendar is a third of this page's code and is shown to few.
const StartDayChoice = lazyComponent(
  async () => (await import('#web/features/cycles/start-day-choice.tsx')).StartDayChoice,
);

/** The proposed day, or another one; null while that is not chosen yet. */
export interface Start {
  isOther: boolean;
  otherDay: Day | null;
}

interface StartChoiceProps {
  value: Start;
  onChange: (start: Start) => void;
  /** The day after the last cycle, or today. */
  nextDay: Day;
  days: number;
  taken: readonly Cycle[];
  today: Day;
}

/** Step 2: the day after the last cycle; the calendars only for another one (product §4.8). */
export function StartChoice({ value, onChange, nextDay, ...calendar }: StartChoiceProps) {
  const isToday = nextDay === calendar.today;
  return (
    <>
      <Radio.Group
        label={texts.stepDay}
        classNames={{ label: classes.label ?? '' }}
        value={value.isOther ? 'other' : 'next'}
        onChange={(chosen) => onChange({ ...value, isOther: chosen === 'other' })}
      >
        <Radio.Card value="next" className={choice.plan}>
          <Radio.Indicator size="xs" className={choice.dot} />
          <span>
            <span className={`${choice.name} num`}>{isToday ? texts.today(dayText(nextDay)) : dayText(nextDay)}</span>
            {isToday ? null : <span className={`${choice.quotas} caption`}>{texts.afterLast}</span>}
          </span>
        </Radio.Card>
        <Radio.Card value="other" className={choice.plan}>
          <Radio.Indicator size="xs" className={choice.dot} />
          <span className={choice.name}>{texts.otherDay}</span>
        </Radio.Card>
      </Radio.Group>
      {value.isOther && (
        <div className={classes.calendar}>
          <Suspense fallback={<Skeleton h={300} />}>
            <StartDayChoice
              {...calendar}
              value={value.otherDay}
              onChange={(otherDay) => onChange({ isOther: true, otherDay })}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}
