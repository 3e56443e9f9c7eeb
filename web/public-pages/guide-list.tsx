import { type PublicGuide, type PublicLanguage, publicAddress } from '#shared/contract/public-pages.ts';
import classes from '#web/public-pages/guide-list.module.css';

/** Guides, each with what it is about. */
export function GuideList({
  guides,
  language,
  level,
}: {
  guides: readonly PublicGuide[];
  language: PublicLanguage;
  /** Of their headings. */
  level: 2 | 3;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={classes.list}>
      {guides.map(({ id, title, description }) => (
        <a key={id} href={publicAddress(`/docs/${id}`, language)}>
          <Heading>{title}</Heading>
          <p>{description}</p>
        </a>
      ))}
    </div>
  );
}
