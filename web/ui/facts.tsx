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
   * `figures`: large numbers of a page, side by side. `strip`: small labels over values, side by side. `rows`: label left, value
   * right. `list`: values beside a column of labels. Without one, `className` is the whole look.
   */
  look?: 'figures' | 'strip' | 'rows' | 'list';
  className?: string | undefined;
  /** Announces values that change. */
  isLive?: boolean;
}

/** Names and values: the one description list of the pages. */
export function Facts({ facts, look, className, isLive = false }: FactsProps) {
  const looks = [look && classes[look], className].filter((each) => each !== undefined).join(' ');
  return (
    <dl className={looks} {...(isLive && { 'aria-live': 'polite' as const })}>
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
