import { Fragment } from 'react';
import classes from '#web/features/reference/prose.module.css';

/** A description as OpenAPI documents write it: paragraphs, and code between backticks. */
export function Prose({ text, className = '' }: { text: string; className?: string }) {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '');
  return (
    <div className={`${classes.prose} ${className}`}>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <InlineProse text={paragraph} />
        </p>
      ))}
    </div>
  );
}

/** The same inside a line. */
export function InlineProse({ text }: { text: string }) {
  let at = 0;
  const pieces = text.split(/(`[^`]+`)/).map((piece) => {
    at += piece.length;
    return { piece, at };
  });
  return pieces.map(({ piece, at: end }) =>
    piece.startsWith('`') ? (
      <code key={end} className={classes.code}>
        {piece.slice(1, -1)}
      </code>
    ) : (
      <Fragment key={end}>{piece}</Fragment>
    ),
  );
}
