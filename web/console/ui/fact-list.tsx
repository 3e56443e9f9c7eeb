import classes from '#web/console/ui/fact-list.module.css';
import { type ComparedFact, type ReplyFact, shownOf } from '#web/console/ui/reply-facts.ts';

/** The fields of a reply; those that were otherwise in the preview are marked. */
export function FactList({ facts, label }: { facts: readonly (ReplyFact & Partial<ComparedFact>)[]; label: string }) {
  const shown = shownOf(facts);
  return (
    <dl className={classes.list} aria-label={label}>
      {shown.map(({ path, group, label: name, text, before = null }, index) => (
        <div key={path} className={classes.fact} data-group={group !== shown[index - 1]?.group || undefined}>
          {group !== null && group !== shown[index - 1]?.group ? <div className={classes.group}>{group}</div> : null}
          <dt>{name}</dt>
          <dd>
            {text}
            {before === null ? null : <small className={classes.before}>before: {before}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
