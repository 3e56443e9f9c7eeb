import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { fileReason } from '#shared/platform/file-reason.ts';

/** A YAML file, and where its fields stand. */
export interface YamlFile {
  content: unknown;
  /** File and line of a field. */
  placeOf: (field: readonly PropertyKey[]) => string;
}

/** The fault of a file or folder that the system refuses. */
export const cannotBeRead = (error: unknown): string => `can't be read: ${fileReason(error)}`;

/** Reads a file, called `name` in messages. Adds its errors to `faults`; undefined if it has any. */
export function readYamlFile(path: string, name: string, faults: string[]): YamlFile | undefined {
  const lines = new LineCounter();
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    faults.push(`${name}: ${cannotBeRead(error)}`);
    return undefined;
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const error of document.errors) faults.push(`${name}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  if (document.errors.length > 0) return undefined;
  const content: unknown = document.toJS();
  return { content, placeOf: (field) => `${name}:${lineOf(document, lines, field)}` };
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
