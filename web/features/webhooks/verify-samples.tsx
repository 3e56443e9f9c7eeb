import { ScrollArea, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { samples } from '#web/features/webhooks/samples.ts';
import { deliveryTexts as texts } from '#web/features/webhooks/texts.ts';
import classes from '#web/features/webhooks/webhooks.module.css';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Section } from '#web/ui/section.tsx';

type Language = keyof typeof samples;

const languages: Language[] = ['JavaScript', 'Python'];

/** How a receiver knows that a delivery comes from here. */
export function VerifySamples() {
  const [chosen, setChosen] = useState<Language>('JavaScript');
  return (
    <Section title={texts.verify}>
      <p className={`${classes.lead} soft`}>{texts.verifyMore}</p>
      <div className={classes.sampleHead}>
        <SegmentedControl
          aria-label={texts.languages}
          data={languages}
          value={chosen}
          onChange={(value) => setChosen(languages.find((language) => language === value) ?? 'JavaScript')}
        />
        <CopyButton value={samples[chosen]} />
      </div>
      {/* Long lines scroll, by keyboard too. */}
      <ScrollArea
        className={classes.sample}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': chosen }}
      >
        <pre>{samples[chosen]}</pre>
      </ScrollArea>
    </Section>
  );
}
