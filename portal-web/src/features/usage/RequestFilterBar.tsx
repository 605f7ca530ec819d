import { CloseButton, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
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
  { value: '', label: 'All answers' },
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
      <TextInput
        label="Request ID"
        placeholder="req_…"
        description="From the X-Request-Id header, or request_id of a problem."
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={requestId && <CloseButton size="sm" aria-label="Clear the request ID" onClick={() => onChange({ requestId: '' })} />}
        error={incomplete && 'A request ID is req_ and 26 characters.'}
        spellCheck={false}
        autoComplete="off"
        value={requestId}
        onChange={(event) => onChange({ requestId: event.currentTarget.value.trim() })}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        flex="1 1 20rem"
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
      <Switch label="Update by itself" checked={live} onChange={(event) => onLive(event.currentTarget.checked)} />
    </Group>
  );
}
