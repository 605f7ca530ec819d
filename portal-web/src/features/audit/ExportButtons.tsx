import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { auditExportQuery, type AuditFilter } from './auditQuery.ts';

const formats = ['csv', 'ndjson'] as const;

/**
 * Downloads the entries that the filter finds. The filter is null while its fields are incomplete. Before the download starts, the reader
 * confirms with the passkey and the service checks that it can export the entries.
 */
export function ExportButtons({ filter }: { filter: AuditFilter | null }) {
  const client = useClient();
  const confirmed = useFreshPasskey();
  const [busy, setBusy] = useState<(typeof formats)[number] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function download(format: (typeof formats)[number]) {
    if (!filter) return setProblem('Enter a complete action, or clear the field, before you export.');
    setBusy(format);
    setProblem(null);
    const { data, error } = await confirmed(() =>
      client.query(auditExportQuery, { filter }, { requestPolicy: 'network-only' }).toPromise(),
    );
    setBusy(null);
    if (error ?? !data) return setProblem(describeError(error).message);
    if (data.auditExport.entries === 0) return setProblem('No entries match these filters, so there is nothing to export.');
    const query = addressOf(filter, data.auditExport.identifiers);
    window.location.assign(`/exports/audit-trail.${format}${query && `?${query}`}`);
  }

  return (
    <Stack gap="xs">
      <Group gap="xs">
        {formats.map((format) => (
          <Button
            key={format}
            variant="default"
            loading={busy === format}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void download(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Group>
      {problem && <ErrorMessage message={problem} />}
    </Stack>
  );
}

/** The filter as it stands in the file's address. It holds identifiers instead of the search text, which may be an email address. */
function addressOf({ search, searchIn, ...others }: AuditFilter, identifiers: readonly string[]): string {
  const query = new URLSearchParams(others as Record<string, string>);
  if (search && searchIn) for (const each of identifiers) query.append(searchIn, each);
  return query.toString();
}
