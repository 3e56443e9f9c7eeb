import { ScrollArea, Tabs } from '@mantine/core';
import { useState } from 'react';
import { type ApiRequest, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import classes from '#web/features/reference/call-samples.module.css';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';
import { sampleTexts as texts } from '#web/features/reference/texts.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** The language chosen last, for the next endpoint too. */
let lastLanguage: string = sampleLanguages[0].id;

/** The key's kind and end: the field of the form masks it too. */
const maskedKey = (key: string) => `${key.slice(0, 10)}${'*'.repeat(key.length - 14)}${key.slice(-4)}`;

/** The call in the form as a program, in the chosen language. `apiKey` null: it comes from the environment. Only a copy has the whole key. */
export function CallSamples({ request, apiKey }: { request: ApiRequest; apiKey: string | null }) {
  const [language, setLanguage] = useState(lastLanguage);
  const choose = (next: string | null) => {
    lastLanguage = next ?? language;
    setLanguage(lastLanguage);
  };
  return (
    <Tabs value={language} onChange={choose} keepMounted={false} className={classes.samples ?? ''}>
      <Tabs.List aria-label={texts.languages} className={classes.list ?? ''}>
        {sampleLanguages.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} className={classes.tab ?? ''}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sampleLanguages.map(({ id, name, write, runBy }) => {
        const code = write({ ...request, key: apiKey });
        const shown = apiKey === null ? code : code.replaceAll(apiKey, maskedKey(apiKey));
        return (
          <Tabs.Panel key={id} value={id}>
            <ScrollArea.Autosize
              mah={460}
              type="auto"
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': texts.code(name) }}
            >
              <pre className={classes.code}>{shown}</pre>
            </ScrollArea.Autosize>
            <div className={classes.foot}>
              <p>
                {runBy === null ? texts.paste : texts.runBy(runBy)}{' '}
                {apiKey === null ? texts.setKey(`export ${keyVariable}=gstk_live_...`) : texts.holdsKey}
              </p>
              <CopyButton value={code} />
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
