import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type PublicLanguage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { type OperationEntry, byTag } from '#web/features/reference/operations.ts';
import { referenceTexts } from '#web/features/reference/texts.ts';
import classes from '#web/public-pages/operation-nav.module.css';
import { publicTexts as texts } from '#web/public-pages/texts.ts';

interface OperationNavProps {
  product: PublicProduct;
  /** As the reference lists them. */
  operations: readonly OperationEntry[];
  current: OperationEntry;
  language: PublicLanguage;
}

/** More would make each page long to load and to look through. */
const mostBeside = 60;

const addressOf = ({ product, language }: OperationNavProps, { id }: OperationEntry) =>
  publicAddress(`/apis/${product.id}/reference/${id}`, language);

/** The other operations, beside this one on a wide screen; of thousands those around it. */
export function OperationNav(props: OperationNavProps) {
  const { operations, current } = props;
  const start = Math.min(operations.indexOf(current) - mostBeside / 2, operations.length - mostBeside);
  const shown = operations.slice(Math.max(0, start)).slice(0, mostBeside);
  return (
    <nav className={classes.side} aria-label={referenceTexts.endpoints}>
      {byTag(shown).map(({ tag, operations: members }) => (
        <div key={tag}>
          <div className={classes.tag}>{tag}</div>
          <ul>
            {members.map((each) => (
              <li key={each.id}>
                <a href={addressOf(props, each)} aria-current={each === current ? 'page' : undefined}>
                  {each.summary}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** To the operations before and after this one. */
export function OperationNeighbours(props: OperationNavProps) {
  const { operations, current } = props;
  const at = operations.indexOf(current);
  const [before, after] = [operations[at - 1], operations[at + 1]];
  if (before === undefined && after === undefined) return null;
  return (
    <nav className={classes.neighbours} aria-label={texts.neighbours}>
      {before === undefined ? null : (
        <a href={addressOf(props, before)} rel="prev">
          <ChevronLeft size={16} aria-hidden="true" />
          <span>
            <small>{texts.previous}</small>
            {before.summary}
          </span>
        </a>
      )}
      {after === undefined ? null : (
        <a href={addressOf(props, after)} rel="next">
          <span>
            <small>{texts.next}</small>
            {after.summary}
          </span>
          <ChevronRight size={16} aria-hidden="true" />
        </a>
      )}
    </nav>
  );
}
