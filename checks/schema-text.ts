import { openClient } from '#database/clients.ts';
import { schemaParts } from '#database/schema-parts.ts';

/** The contents of a database as readable SQL: the same text for the same schema, whatever led to it. */
export async function describeSchema(databaseUrl: string): Promise<string> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    const sections: string[] = [];
    for (const [title, query] of Object.entries(schemaParts)) {
      const found = await client.query<{ text: string }>(query);
      if (found.rows.length > 0) sections.push(`-- ${title}`, ...found.rows.map(({ text }) => text.trim()));
    }
    return `${sections.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
