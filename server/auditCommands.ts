import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { operandsOf, terminal as actor, type CommandParsers } from './commandArguments.ts';
import { auditMonth, digestOf, dropAuditMonth, monthPieces, recordMonthExport, type MonthExport } from './domain/audit/auditMonth.ts';

export const auditUsage = `  export-audit-month MONTH FILE   writes all entries of a month that is over, such as 2026-05, to a new file (NDJSON), reads it back and
                                  puts its SHA-256 on record
  drop-audit-month MONTH FILE     removes the month from the audit trail for ever, if the file is its export and still complete
`;

export const auditCommands: CommandParsers = {
  'export-audit-month': (args) => {
    const [name, file] = operandsOf('export-audit-month', ['MONTH', 'FILE'], args);
    return async (em, now) => {
      const month = auditMonth(name, now);
      const pieces = monthPieces(em, month);
      const texts = async function* () {
        for await (const { text } of pieces) yield text;
      };
      // An export that exists is never written over. The file is on the disk before it is read back.
      await pipeline(Readable.from(texts()), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })).catch(
        (error: NodeJS.ErrnoException) => Promise.reject(error.syscall ? new Error(`The file cannot be written (${error.code}).`) : error),
      );
      const made = await exportIn(file);
      const stored = await digestOf(monthPieces(em, month));
      if (made.sha256 !== stored.sha256) throw new Error('The file is not what is in the trail. Remove it and export the month again.');
      await recordMonthExport(em, { actor, month, made, now });
      return {
        result: `${made.sha256}  ${file}`,
        words: `${made.entries} entries of ${month.name} are in the file and its SHA-256 is on record.`,
      };
    };
  },
  'drop-audit-month': (args) => {
    const [name, file] = operandsOf('drop-audit-month', ['MONTH', 'FILE'], args);
    return async (em, now) => {
      const { entries } = await dropAuditMonth(em, { actor, month: auditMonth(name, now), file: await exportIn(file), now });
      return { words: `${entries} entries of ${name} are gone from the audit trail. Keep the file: it is all that is left of them.` };
    };
  },
};

/** What a file contains, whatever was meant to be in it. */
async function exportIn(file: string): Promise<MonthExport> {
  const hash = createHash('sha256');
  let entries = 0;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) entries += 1;
    }
  } catch {
    throw new Error('The file cannot be read.');
  }
  return { entries, sha256: hash.digest('hex') };
}
