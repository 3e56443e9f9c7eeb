import type { ReactNode } from 'react';
import classes from '#web/ui/facts.module.css';

export interface Fact {
  key: string;
  label: ReactNode;
  value: ReactNode;
  /** Small, after the value. */
  more?: ReactNode;
  className?: string | undefined;
}

interface FactsProps {
  facts: readonly Fact[];
  /**
   * `figures`: large numbers side by side. `strip`: small labels above values, side by side. `rows`: label left, value right-aligned.
   * `list`: values beside a column of labels. Without a look, `className` does all the styling.
   */
  look?: 'figures' | 'strip' | 'rows' | 'list';
  className?: string | undefined;
}

/** A description list. */
export function Facts({ facts, look, className }: FactsProps) {
  const looks = [look && classes[look], className].filter((each) => each !== undefined).join(' ');
  return (
    <dl className={looks}>
      {facts.map(({ key, label, value, more, className: own }) => (
        <div key={key} className={own}>
          <dt>{label}</dt>
          <dd>
            {value} {more === undefined ? null : <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
