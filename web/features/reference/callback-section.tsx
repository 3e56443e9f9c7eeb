import { ChevronRight } from 'lucide-react';
import { useContext, useMemo, useState } from 'react';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import classes from '#web/features/reference/callback-section.module.css';
import { type Operation, type OperationEntry, readSentRequest } from '#web/features/reference/operations.ts';
import { Prose } from '#web/features/reference/prose.tsx';
import rowClasses from '#web/features/reference/rows.module.css';
import { SentRequest } from '#web/features/reference/sent-request.tsx';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { StaticPage } from '#web/ui/static-page.ts';
import { Section } from '#web/ui/section.tsx';

interface CallbackSectionProps {
  description: ApiDescription;
  operation: Operation;
}

/** The requests that the API sends because of a call; each is read when it is opened. */
export function CallbackSection({ description, operation }: CallbackSectionProps) {
  if (operation.callbacks.length === 0) return null;
  return (
    <Section title={texts.callbacks}>
      <p className={rowClasses.lead}>{texts.callbacksMore}</p>
      <div className={classes.callbacks}>
        {operation.callbacks.map((each) => (
          <Callback key={each.id} description={description} entry={each} />
        ))}
      </div>
    </Section>
  );
}

interface CallbackProps {
  description: ApiDescription;
  entry: OperationEntry;
}

function Callback({ description, entry }: CallbackProps) {
  const [isOpen, setOpen] = useState(false);
  if (useContext(StaticPage) !== null)
    return (
      <details>
        <summary>{entry.summary}</summary>
        <OpenCallback description={description} entry={entry} />
      </details>
    );
  return (
    <div>
      <h3>
        <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ChevronRight size={16} aria-hidden />
          <span>{entry.summary}</span>
          {entry.deprecated ? <span className="caption dim">{texts.deprecated}</span> : null}
        </button>
      </h3>
      {isOpen ? <OpenCallback description={description} entry={entry} /> : null}
    </div>
  );
}

function OpenCallback({ description, entry }: CallbackProps) {
  const request = useMemo(() => readSentRequest(description, entry), [description, entry]);
  return (
    <div className={classes.inner}>
      <Prose text={request.description} />
      <SentRequest description={description} request={request} />
    </div>
  );
}
