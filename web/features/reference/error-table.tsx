import type { Operation } from '#web/features/reference/operations.ts';
import { isSuccess } from '#web/features/reference/operations.ts';
import { countingText } from '#web/features/reference/counting-rows.ts';
import { InlineProse } from '#web/features/reference/prose.tsx';
import classes from '#web/features/reference/rows.module.css';
import { overviewTexts, referenceTexts as texts, tryTexts } from '#web/features/reference/texts.ts';
import { Section } from '#web/ui/section.tsx';

/** The errors of a call: the meaning of each status, and whether it counts. */
export function ErrorTable({ operation }: { operation: Operation }) {
  const errors = operation.answers.filter((answer) => !isSuccess(answer) && /^\d{3}$/.test(answer.status));
  if (errors.length === 0) return null;
  return (
    <Section title={texts.errors}>
      <p className={classes.lead}>{texts.errorsMore}</p>
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
              <th scope="row">{status}</th>
              <td>
                <InlineProse text={description} />
              </td>
              <td>{countingText(Number(status))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
