import { ChevronRight } from 'lucide-react';
import { useContext, useState } from 'react';
import classes from '#web/features/reference/field-list.module.css';
import { PartOfList } from '#web/features/reference/part-of-list.tsx';
import { InlineProse } from '#web/features/reference/prose.tsx';
import type { SchemaField } from '#web/features/reference/schema-fields.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { StaticPage } from '#web/ui/static-page.ts';

/** Fewer are shown at once; a longer list of allowed values is opened first. */
const shownValues = 8;

interface FieldListProps {
  label: string;
  fields: readonly SchemaField[];
  /** In a request, required fields are marked; in a response, optional ones. */
  isSent?: boolean;
}

/** The fields of an object, each with its kind, limits and meaning. Those of inner objects open on demand. */
export function FieldList({ label, fields, isSent = false }: FieldListProps) {
  const page = useContext(StaticPage);
  const some = page?.fields.take(fields) ?? fields;
  if (page !== null && some.length === 0) return null;
  return (
    <PartOfList items={some}>
      {(shown) => (
        <ul className={classes.fields} aria-label={label}>
          {shown.map((field) => (
            <Field key={field.id} field={field} isSent={isSent} />
          ))}
        </ul>
      )}
    </PartOfList>
  );
}

function Field({ field, isSent }: { field: SchemaField; isSent: boolean }) {
  const [opened, setOpened] = useState(false);
  const isStatic = useContext(StaticPage) !== null;
  const { required, type, limits, values, description, hasFields } = field;
  const isNamed = field.kind === 'property';
  const name = isNamed ? field.name : field.kind === 'alternative' ? texts.or : texts.anyName;
  return (
    <li>
      <div className={classes.head}>
        <b className={isNamed ? 'mono' : ''}>{name}</b>
        <span>{[type, ...limits].join(', ')}</span>
        {field.deprecated ? <span className={classes.notable}>{texts.deprecated}</span> : null}
        {isNamed && required === isSent ? (
          <span className={classes.notable}>{required ? texts.required : texts.notAlways}</span>
        ) : null}
      </div>
      {description === '' ? null : (
        <div className={classes.about}>
          <InlineProse text={description} />
        </div>
      )}
      {values.length === 0 ? null : <Values values={values} />}
      {hasFields && isStatic ? <StaticFields name={isNamed ? name : type} field={field} isSent={isSent} /> : null}
      {hasFields && !isStatic ? (
        <>
          <button type="button" className={classes.more} aria-expanded={opened} onClick={() => setOpened(!opened)}>
            <ChevronRight size={14} aria-hidden />
            {texts.showFields(isNamed ? name : type)}
          </button>
          {opened ? <FieldList label={texts.showFields(name)} fields={field.fields()} isSent={isSent} /> : null}
        </>
      ) : null}
    </li>
  );
}

/** Schemas may go round in circles: deeper ones are in the OpenAPI document. */
function StaticFields({ name, field, isSent }: { name: string; field: SchemaField; isSent: boolean }) {
  const page = useContext(StaticPage);
  if (page === null || page.depth === 0 || page.fields.isSpent()) return null;
  return (
    <details>
      <summary className={classes.more}>{texts.showFields(name)}</summary>
      <StaticPage value={{ ...page, depth: page.depth - 1 }}>
        <FieldList label={texts.showFields(name)} fields={field.fields()} isSent={isSent} />
      </StaticPage>
    </details>
  );
}

function Values({ values }: { values: readonly string[] }) {
  const list = values.map((value) => <code key={value}>{value}</code>);
  return values.length <= shownValues ? (
    <div className={classes.values}>
      <span>{texts.oneOf}</span> {list}
    </div>
  ) : (
    <details className={classes.values}>
      <summary>{texts.oneOfMany(values.length)}</summary>
      {list}
    </details>
  );
}
