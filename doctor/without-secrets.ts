import { allSettings } from '#ship/launch/settings.ts';
import { hideSecrets } from '#shared/platform/log.ts';
import { aboutSetting, envName } from '#shared/platform/read-config.ts';
import { looksSecret } from '#shared/platform/secret-looking.ts';
import type { Finding } from './finding.ts';
import type { Installation } from './installation.ts';

/** Shorter values are words of every sentence, such as `no` or `4000`. */
const shortestHidden = 6;

/** The password in an address, also as it is written there. */
function passwordsIn(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [password, safelyDecoded(password)];
}

/** A value may be a list. */
const partsOf = (value: string): string[] => [value, ...value.split(',').map((part) => part.trim())];

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whatever is wrong with a setting, nothing secret in it is printed: neither the value of a secret one, nor a secret in any other. */
export function withoutSecrets({
  given,
  catalog,
}: Pick<Installation, 'given' | 'catalog'>): (finding: Finding) => Finding {
  const about = new Map([...allSettings()].map(([name, field]) => [envName(name), aboutSetting(field)]));
  const inCatalogue = JSON.stringify(catalog?.products.map(({ gateway }) => gateway) ?? []);
  const hiddenParts = (name: string, value: string): string[] => {
    const isSecret = about.get(name)?.secret ?? inCatalogue.includes(JSON.stringify(name));
    if (isSecret) return [...partsOf(value), ...passwordsIn(value)];
    return about.has(name) ? [...partsOf(value).filter(looksSecret), ...passwordsIn(value)] : [];
  };
  const hidden = Object.entries(given).flatMap(([name, value = '']) =>
    hiddenParts(name, value)
      .filter((part) => part.length >= shortestHidden)
      .map((part) => ({ name, part })),
  );
  // The longest first: a part of it may be one of the others.
  hidden.sort((one, other) => other.part.length - one.part.length);
  const clean = (text: string): string =>
    hideSecrets(hidden.reduce((shown, { name, part }) => shown.replaceAll(part, `[${name}]`), text));
  return ({ level, found, means, remedy }) => ({
    level,
    found: clean(found),
    ...(means === undefined ? {} : { means: clean(means) }),
    ...(remedy === undefined ? {} : { remedy: clean(remedy) }),
  });
}
