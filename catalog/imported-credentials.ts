import type { OpenApiDocument } from './openapi-document.ts';

/** Where the secret of a credential is read from; `what` is the last word of its name. */
type Variable = (what: string) => { env: string };

/**
 * How the upstream identifies its callers becomes how the gateway identifies itself: everything that its first possible
 * requirement asks for together. Secrets stay in the environment.
 */
export function credentialsOf(document: OpenApiDocument, id: string, remaining: string[]): object[] {
  const schemes = new Map(Object.entries(document.components?.securitySchemes ?? {}));
  if (schemes.size === 0) return [];
  const alternatives = (document.security ?? []).map(Object.keys).filter((names) => names.length > 0);
  const together = alternatives.find((names) => names.every((name) => kindOf(schemes.get(name)) !== undefined));
  const first = [...schemes.keys()].find((name) => kindOf(schemes.get(name)) !== undefined);
  const chosen = together ?? (first === undefined ? [] : [first]);
  if (chosen.length === 0)
    remaining.push(
      'Set gateway.credentials: the document describes a way to sign in that the gateway cannot take over (OAuth, cookies or a query parameter).',
    );
  const used = new Set<string>();
  const variable: Variable = (what) => {
    const name = `${id.replaceAll('-', '_').toUpperCase()}_${what}`;
    const env = used.has(name) ? `${name}_${used.size + 1}` : name;
    used.add(env);
    remaining.push(`Set ${env} in the gateway's environment: the upstream's own credentials.`);
    return { env };
  };
  return chosen.flatMap((name) => kindOf(schemes.get(name))?.(variable, remaining) ?? []);
}

const bearer = (variable: Variable): object => ({ type: 'bearer', token: variable('TOKEN') });

/** How to make credentials for a scheme; undefined for one that the gateway cannot take over. */
function kindOf(scheme: unknown): ((variable: Variable, remaining: string[]) => object) | undefined {
  if (typeof scheme !== 'object' || scheme === null || !('type' in scheme)) return undefined;
  const { type, in: place, name, scheme: kind }: Record<string, unknown> = { ...scheme };
  if (type === 'apiKey' && place === 'header' && typeof name === 'string')
    return name.toLowerCase() === 'authorization'
      ? bearer
      : (variable) => ({ type: 'header', name, value: variable('KEY') });
  if (type !== 'http') return undefined;
  if (String(kind).toLowerCase() === 'bearer') return bearer;
  if (String(kind).toLowerCase() !== 'basic') return undefined;
  return (variable, remaining) => {
    remaining.push('Set the user name in gateway.credentials.');
    return { type: 'basic', user: 'octroi', password: variable('PASSWORD') };
  };
}
