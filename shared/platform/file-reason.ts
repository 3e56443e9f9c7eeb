const notAllowed = 'this user is not allowed to';

const reasons = new Map([
  ['EACCES', notAllowed],
  ['EDQUOT', 'the disk is full'],
  ['EEXIST', 'a file, or a link to nothing, has this name'],
  ['EISDIR', 'it is a folder'],
  ['ENOENT', 'there is no such file or folder'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'a file is in the way'],
  ['EPERM', notAllowed],
  ['EROFS', 'the disk is read-only'],
]);

/** Why the system refused a file or a folder, as a part of a sentence. */
export function fileReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error ? reasons.get(String(error.code)) : undefined) ?? error.message;
}
