import { Button, Group, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useClient } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { auditExportQuery, type AuditFilter } from './auditQuery.ts';

const formats = ['csv', 'ndjson'] as const;

/** Downloads what the filter finds; null: its fields do not make one. The passkey is asked for, and whether it can be done, before the browser begins. */
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

/** The filter as the address of the file has it: identifiers instead of what was searched for, which may be an e-mail address. */
function addressOf({ search, searchIn, ...others }: AuditFilter, identifiers: readonly string[]): string {
  const query = new URLSearchParams(others as Record<string, string>);
  if (search && searchIn) for (const each of identifiers) query.append(searchIn, each);
  return query.toString();
}
