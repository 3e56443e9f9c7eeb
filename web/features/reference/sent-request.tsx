import type { ApiDescription } from '#web/features/reference/api-description.ts';
import { ExampleCode } from '#web/features/reference/example-code.tsx';
import { FieldList } from '#web/features/reference/field-list.tsx';
import type { Operation } from '#web/features/reference/operations.ts';
import { InlineProse } from '#web/features/reference/prose.tsx';
import rowClasses from '#web/features/reference/rows.module.css';
import { fieldOfParameter, fieldsOf } from '#web/features/reference/schema-fields.ts';
import classes from '#web/features/reference/sent-request.module.css';
import { overviewTexts, referenceTexts as texts } from '#web/features/reference/texts.ts';

interface SentRequestProps {
  description: ApiDescription;
  /** From `readSentRequest`. */
  request: Operation;
}

/** A request that the API sends to its customer: where it goes, what is in it, and what it expects back. */
export function SentRequest({ description, request }: SentRequestProps) {
  const { method, path, parameters, body, answers } = request;
  const fields = body?.schema === undefined ? [] : fieldsOf(description, body.schema, 'response');
  const [example] = body?.examples() ?? [];
  return (
    <>
      <p className={classes.address}>
        <b>{method}</b> {path === '' ? <span>{texts.receiver}</span> : <code>{path}</code>}
      </p>
      {parameters.length === 0 ? null : (
        <>
          <h4 className={classes.part}>{texts.sentParameters}</h4>
          <FieldList
            label={texts.sentParameters}
            fields={parameters.map((each) => fieldOfParameter(description, each))}
          />
        </>
      )}
      {body === undefined ? null : (
        <>
          <h4 className={classes.part}>
            {texts.body} <span className="dim mono">{body.mediaType}</span>
          </h4>
          <div className={fields.length > 0 && example !== undefined ? classes.columns : undefined}>
            {fields.length === 0 ? null : <FieldList label={texts.bodyFields} fields={fields} />}
            {example === undefined ? null : (
              <div className={classes.example}>
                <ExampleCode label={texts.exampleBody} content={body} example={example} />
              </div>
            )}
          </div>
        </>
      )}
      {answers.length === 0 ? null : (
        <>
          <h4 className={classes.part}>{texts.yourAnswer}</h4>
          <table className={`${rowClasses.rows} ${classes.answers}`}>
            <thead>
              <tr>
                <th scope="col">{overviewTexts.countingStatus}</th>
                <th scope="col">{texts.meaning}</th>
              </tr>
            </thead>
            <tbody>
              {answers.map(({ status, description: meaning }) => (
                <tr key={status}>
                  <th scope="row">{status === 'default' ? texts.otherStatus : status}</th>
                  <td>
                    <InlineProse text={meaning} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}
