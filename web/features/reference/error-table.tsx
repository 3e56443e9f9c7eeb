import { type Operation, type OperationAnswer, isSuccess } from '#web/features/reference/operations.ts';
import { countingText } from '#web/features/reference/counting-rows.ts';
import { InlineProse } from '#web/features/reference/prose.tsx';
import classes from '#web/features/reference/rows.module.css';
import { overviewTexts, referenceTexts as texts, tryTexts } from '#web/features/reference/texts.ts';
import { Section } from '#web/ui/section.tsx';

/** The errors of a call: the meaning of each status, and whether it counts. Those of the gateway, which every call has, open on demand. */
export function ErrorTable({ operation }: { operation: Operation }) {
  const errors = operation.answers.filter((answer) => !isSuccess(answer));
  const own = errors.filter(({ isGateway }) => !isGateway);
  const ofGateway = errors.filter(({ isGateway }) => isGateway);
  if (errors.length === 0) return null;
  return (
    <Section title={texts.errors}>
      <p className={classes.lead}>{texts.errorsMore}</p>
      {own.length === 0 ? null : <Rows errors={own} />}
      {ofGateway.length === 0 ? null : (
        <details className={classes.lead}>
          <summary>{texts.gatewayErrors(ofGateway.length)}</summary>
          <Rows errors={ofGateway} />
        </details>
      )}
    </Section>
  );
}

function Rows({ errors }: { errors: readonly OperationAnswer[] }) {
  return (
    <table className={classes.rows}>
      <thead>
        <tr>
          <th scope="col">{overviewTexts.countingStatus}</th>
          <th scope="col">{texts.meaning}</th>
          <th scope="col">{tryTexts.counted}</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ status, description }) => (
          <tr key={status}>
            <th scope="row">{status === 'default' ? texts.otherStatus : status}</th>
            <td>
              <InlineProse text={description} />
            </td>
            <td>{/^\d{3}$/.test(status) ? countingText(Number(status)) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
