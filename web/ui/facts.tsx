import classes from '#web/ui/facts.module.css';

interface Fact {
  key: string;
  name: string;
  value: string;
  /** Small, after the value. */
  more?: string;
}

/** Figures of a page, side by side. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ key, name, value, more }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>
            {value} {more === undefined ? null : <small>{more}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
