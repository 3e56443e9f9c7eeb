import { gatewayAnswers } from '#shared/domain/metering.ts';
import { countingRows } from '#web/features/reference/counting-rows.ts';
import rowClasses from '#web/features/reference/rows.module.css';
import { overviewTexts, tryTexts } from '#web/features/reference/texts.ts';
import { Section } from '#web/ui/section.tsx';

/** Which responses count, and the gateway's own. */
export function Counting() {
  return (
    <>
      <Section title={overviewTexts.counting}>
        <p className={rowClasses.lead}>{overviewTexts.countingMore}</p>
        <table className={rowClasses.rows}>
          <thead>
            <tr>
              <th scope="col">{overviewTexts.countingStatus}</th>
              <th scope="col">{overviewTexts.countingWhy}</th>
              <th scope="col">{tryTexts.counted}</th>
            </tr>
          </thead>
          <tbody>
            {countingRows().map(({ statuses, reason, counted }) => (
              <tr key={statuses}>
                <th scope="row">{statuses}</th>
                <td>{reason}</td>
                <td>{counted ? tryTexts.yes : tryTexts.no}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <details className={rowClasses.lead}>
          <summary>{overviewTexts.gatewayCodes}</summary>
          <ul>
            {Object.entries(gatewayAnswers).map(([code, status]) => (
              <li key={code}>
                {status} <code>{code}</code>
              </li>
            ))}
          </ul>
        </details>
      </Section>
      <Section title={overviewTexts.limits}>
        <p className={rowClasses.lead}>{overviewTexts.limitsMore}</p>
      </Section>
    </>
  );
}
