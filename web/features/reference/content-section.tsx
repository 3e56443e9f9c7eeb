import type { ApiDescription } from '#web/features/reference/api-description.ts';
import classes from '#web/features/reference/content-section.module.css';
import type { Content, Example } from '#web/features/reference/content.ts';
import { ExampleCode } from '#web/features/reference/example-code.tsx';
import { type Operation, isSuccess } from '#web/features/reference/operations.ts';
import { FieldList } from '#web/features/reference/field-list.tsx';
import { fieldsOf } from '#web/features/reference/schema-fields.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { Section } from '#web/ui/section.tsx';

interface ContentSectionProps {
  description: ApiDescription;
  operation: Operation;
}

/** The fields of the request body; the form already contains the example. */
export function BodySection({ description, operation }: ContentSectionProps) {
  const schema = operation.body?.schema;
  const fields = schema === undefined ? [] : fieldsOf(description, schema, 'request');
  if (fields.length === 0) return null;
  return (
    <Section title={texts.body} end={<span className="dim mono">{operation.body?.mediaType}</span>}>
      <FieldList label={texts.bodyFields} fields={fields} isSent />
    </Section>
  );
}

/** A response without fields: a file, a text or a list of values. */
function PlainAnswer({ content, example }: { content: Content | undefined; example: Example | undefined }) {
  if (content === undefined) return <p className="soft">{texts.noContent}</p>;
  if (content.kind === 'file') return <p className="soft">{texts.file(content.mediaType)}</p>;
  if (example === undefined) return null;
  return <ExampleCode label={texts.exampleAnswer} content={content} example={example} />;
}

/** Each successful response: its fields and an example. */
export function AnswerSection({ description, operation }: ContentSectionProps) {
  return operation.answers.filter(isSuccess).map(({ status, content }) => {
    const fields = content?.schema === undefined ? [] : fieldsOf(description, content.schema, 'response');
    const [example] = content?.examples() ?? [];
    return (
      <Section
        key={status}
        title={texts.answer}
        end={
          <span className="dim mono">
            {status} {content?.mediaType}
          </span>
        }
      >
        {fields.length === 0 ? (
          <PlainAnswer content={content} example={example} />
        ) : (
          <div className={classes.columns}>
            <FieldList label={texts.answerFields} fields={fields} />
            {content === undefined || example === undefined ? null : (
              <div className={classes.example}>
                <ExampleCode label={texts.exampleAnswer} content={content} example={example} />
              </div>
            )}
          </div>
        )}
      </Section>
    );
  });
}
