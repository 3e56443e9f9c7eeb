/** The characters of a TrueType font, from its table `cmap` (OpenType, "Character to Glyph Index Mapping Table"). */
export function charactersOfFont(font: Buffer): ReadonlySet<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap');
  if (record === undefined) throw new Error('a font has no table cmap');
  const cmap = font.subarray(font.readUInt32BE(record + 8));
  const mappings = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  return new Set(mappings.flatMap(charactersOfMapping));
}

/** Only the formats of Unicode fonts: 4 for the first 65,536 characters, 12 for all; 14 names variants of them. */
function charactersOfMapping(mapping: Buffer): number[] {
  const format = mapping.readUInt16BE(0);
  if (format === 4) return segmentsOf(mapping);
  if (format === 12) return groupsOf(mapping);
  if (format === 14) return [];
  throw new Error(`a font has a cmap of format ${format}, which this check can't read`);
}

function segmentsOf(mapping: Buffer): number[] {
  const length = mapping.readUInt16BE(6);
  const codes: number[] = [];
  for (let at = 0; at < length; at += 2) {
    const end = mapping.readUInt16BE(14 + at);
    const start = mapping.readUInt16BE(16 + length + at);
    const delta = mapping.readUInt16BE(16 + 2 * length + at);
    const offsetAt = 16 + 3 * length + at;
    const offset = mapping.readUInt16BE(offsetAt);
    for (let code = start; code <= end && code !== 0xffff; code += 1) {
      const listed = offset === 0 ? code : mapping.readUInt16BE(offsetAt + offset + 2 * (code - start));
      // Glyph 0 is the box for missing characters.
      if (listed !== 0 && ((listed + delta) & 0xffff) !== 0) codes.push(code);
    }
  }
  return codes;
}

function groupsOf(mapping: Buffer): number[] {
  return Array.from({ length: mapping.readUInt32BE(12) }, (_, index) => 16 + 12 * index).flatMap((at) => {
    const start = mapping.readUInt32BE(at);
    return Array.from({ length: mapping.readUInt32BE(at + 4) - start + 1 }, (_each, index) => start + index);
  });
}
