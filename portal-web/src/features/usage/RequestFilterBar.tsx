import { Group, NativeSelect, Switch } from '@mantine/core';
import { SearchField } from '../../ui/lists/SearchField.tsx';
import { operationPaths } from './operationPaths.ts';
import { statusClassNames, statusClasses } from './statusClasses.ts';
import { isRequestId, type RequestFilters } from './useRequestFilters.ts';

type FilterBarProps = {
  filters: RequestFilters;
  onChange: (changes: Partial<RequestFilters>) => void;
  live: boolean;
  onLive: (live: boolean) => void;
};

const answers = [
  { value: '', label: 'All responses' },
  { value: 'problems', label: 'Only problems (4xx, 5xx)' },
  ...statusClassNames.map((value) => ({ value, label: `${statusClasses[value].word} (${statusClasses[value].range})` })),
];
const operations = [
  { value: '', label: 'All operations' },
  ...Object.entries(operationPaths).map(([value, label]) => ({ value, label })),
  { value: 'path', label: 'Wrong method' },
  { value: 'nothing', label: 'No such path' },
];

/** Which requests the list shows. */
export function RequestFilterBar({ filters: { requestId, answer, operation }, onChange, live, onLive }: FilterBarProps) {
  const incomplete = requestId !== '' && !isRequestId(requestId);
  return (
    <Group gap="md" align="flex-start">
      <SearchField
        label="Request ID"
        placeholder="req_…"
        description="From the X-Request-Id header, or request_id of a problem."
        error={incomplete && 'A request ID is req_ followed by 26 characters.'}
        value={requestId}
        onChange={(value) => onChange({ requestId: value })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <NativeSelect
        label="Answer"
        data={answers}
        value={answer}
        onChange={(event) => onChange({ answer: event.currentTarget.value as RequestFilters['answer'] })}
        flex="1 1 12rem"
      />
      <NativeSelect
        label="Operation"
        data={operations}
        value={operation}
        onChange={(event) => onChange({ operation: event.currentTarget.value })}
        flex="1 1 12rem"
      />
      <Switch label="Update automatically" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />
    </Group>
  );
}
