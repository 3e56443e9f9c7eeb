import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { fileReason } from '#shared/platform/file-reason.ts';
import { readRegularFile } from '#shared/platform/read-regular-file.ts';

/** A YAML file, and where its fields stand. */
export interface YamlFile {
  content: unknown;
  /** File and line of a field. */
  placeOf: (field: readonly PropertyKey[]) => string;
}

/** The fault of a file or folder that the system refuses. */
export const cannotBeRead = (error: unknown): string => `can't be read: ${fileReason(error)}`;

const maxFileBytes = 1024 * 1024;

/** Reads a file, called `name` in messages. Adds its errors to `faults`; undefined if it has any. */
export function readYamlFile(path: string, name: string, faults: string[]): YamlFile | undefined {
  let text: string;
  try {
    text = readRegularFile(path, maxFileBytes).toString();
  } catch (error) {
    faults.push(`${name}: ${cannotBeRead(error)}`);
    return undefined;
  }
  return parseYaml(text, name, faults);
}

/** Parses a file that has been read. Adds its errors to `faults`; undefined if it has any. */
export function parseYaml(text: string, name: string, faults: string[]): YamlFile | undefined {
  const lines = new LineCounter();
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.push(`${name}:1: has too many levels inside each other`);
    return undefined;
  }
  for (const error of document.errors) faults.push(`${name}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  if (document.errors.length > 0) return undefined;
  try {
    const content: unknown = document.toJS();
    return { content, placeOf: (field) => `${name}:${lineOf(document, lines, field)}` };
  } catch (error) {
    // More aliases than a file needs would fill the memory (yaml throws a ReferenceError).
    if (!(error instanceof ReferenceError || error instanceof RangeError)) throw error;
    faults.push(`${name}:${lineOfAlias(document, lines)}: has too many aliases (*name): write the values out`);
    return undefined;
  }
}

function lineOfAlias(document: Document, lines: LineCounter): number {
  let offset = 0;
  visit(document, {
    Alias: (_key, node) => {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return lines.linePos(offset).line;
}

/** What a schema found wrong with a file, one sentence each. */
export function issueFaults({ issues }: z.core.$ZodError, { placeOf }: YamlFile): string[] {
  return issues.map((issue) =>
    [placeOf(issue.path), ...(issue.path.length > 0 ? [issue.path.join('.')] : []), messageOf(issue)].join(': '),
  );
}

/** What is wrong with a key of a record stands inside its issue. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (node && typeof node === 'object' && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(Number(node.range[0])).line;
    }
  }
  return 1;
}
