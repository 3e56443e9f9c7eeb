import { type PublicLanguage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { OperationRow } from '#web/features/reference/operation-row.tsx';
import type { OperationEntry } from '#web/features/reference/operations.ts';
import { onOnePage } from '#web/public-pages/documents.ts';
import classes from '#web/public-pages/reference-page.module.css';

interface OperationRowsProps {
  product: PublicProduct;
  operations: readonly OperationEntry[];
  language: PublicLanguage;
}

/** Operations as links to their pages; of thousands only the names, so that the page stays light. */
export function OperationRows({ product, operations, language }: OperationRowsProps) {
  const addressOf = ({ id }: OperationEntry) => publicAddress(`/apis/${product.id}/reference/${id}`, language);
  if (operations.length <= onOnePage)
    return operations.map((each) => <OperationRow key={each.id} to={addressOf(each)} operation={each} />);
  return (
    <ul className={classes.tags}>
      {operations.map((each) => (
        <li key={each.id}>
          <a href={addressOf(each)}>{each.summary}</a>
        </li>
      ))}
    </ul>
  );
}
