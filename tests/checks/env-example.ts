import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { allSettings } from '#ship/launch/settings.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { aboutSetting, envName } from '#shared/platform/read-config.ts';
import { report } from './report.ts';

/** Writes (`--write`) or verifies .env.example: every setting of every process with its text and default. */
function envExample(): string {
  const lines = [
    '# Every setting of Octroi. Copy the lines you need to .env, or set them in the environment, or as flags of npm start.',
    '# Made from the settings in the code by: npm run env-example',
  ];
  for (const [name, field] of allSettings()) {
    const about = aboutSetting(field);
    const value =
      about.secret || about.default === undefined
        ? ''
        : JSON.stringify(about.default).replaceAll('"', '').replace(projectFolder(), '.');
    const quoted = value.includes(' ') ? `"${value}"` : value;
    lines.push('', `# ${about.description}`, `# ${envName(name)}=${quoted}`);
  }
  return `${lines.join('\n')}\n`;
}

const file = projectFolder('.env.example');
const wanted = envExample();
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (flags.write) writeFileSync(file, wanted);
const undescribed = [...allSettings()]
  .filter(([, field]) => (aboutSetting(field).description ?? '') === '')
  .map(([name]) => `${envName(name)} has no description; describe it after its last transform`);
const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === wanted;
report(
  `.env.example: ${allSettings().size} settings`,
  isCurrent ? undescribed : ['.env.example does not match the settings; run: npm run env-example', ...undescribed],
);
