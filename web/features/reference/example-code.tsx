import { type Content, type Example, exampleText } from '#web/features/reference/content.ts';
import { referenceTexts as texts } from '#web/features/reference/texts.ts';
import { SampleCode } from '#web/features/marketplace/sample-code.tsx';

/** An example of a body, which says when it is shortened. */
export function ExampleCode({ content, example, label }: { content: Content; example: Example; label: string }) {
  return (
    <>
      <SampleCode label={label} text={exampleText(content, example.value)} />
      <Shortened example={example} />
    </>
  );
}

export function Shortened({ example }: { example: Example | undefined }) {
  return example?.isShortened === true ? <p className="caption dim">{texts.shortened}</p> : null;
}
