import { Table } from '@mantine/core';
import classes from './UsageTables.module.css';
import { hourWords } from './hoursOf.ts';
import { operationWords } from './operationPaths.ts';
import { statusClassNames, statusClasses, totalsOf } from './statusClasses.ts';
import type { UsageCount } from './usageQueries.ts';

/** How each operation was answered in the whole period. */
export function OperationTable({ counts }: { counts: readonly UsageCount[] }) {
  const routes = [...new Set(counts.map(({ route }) => route))];
  return (
    <Table className={`${classes.table} ${classes.cards}`} aria-label="Requests by operation">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Operation</Table.Th>
          {statusClassNames.map((name) => (
            <Table.Th key={name} scope="col" ta="right">
              {statusClasses[name].range}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {routes
          .toSorted((one, other) => operationWords(one).localeCompare(operationWords(other)))
          .map((route) => {
            const totals = totalsOf(counts.filter((count) => count.route === route));
            return (
              <Table.Tr key={route}>
                <Table.Th scope="row" className={classes.operation}>
                  {operationWords(route)}
                </Table.Th>
                {statusClassNames.map((name) => (
                  <Table.Td key={name} ta="right" data-label={statusClasses[name].range}>
                    {totals[name]}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
      </Table.Tbody>
    </Table>
  );
}

/** The chart's figures in full: every hour with its operations and statuses, newest first. */
export function HourTable({ counts }: { counts: readonly UsageCount[] }) {
  return (
    <details className={classes.details}>
      <summary>Read the chart as a table</summary>
      <Table className={`${classes.table} ${classes.cards}`} aria-label="Requests per hour">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Hour (UTC)</Table.Th>
            <Table.Th scope="col">Operation</Table.Th>
            <Table.Th scope="col" ta="right">
              Status
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Requests
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {counts.toReversed().map(({ hour, route, status, count }) => (
            <Table.Tr key={`${hour} ${route} ${status}`}>
              <Table.Td className={classes.hour}>{hourWords(new Date(hour))}</Table.Td>
              <Table.Td className={classes.operation}>{operationWords(route)}</Table.Td>
              <Table.Td ta="right" data-label="Status">
                {status}
              </Table.Td>
              <Table.Td ta="right" data-label="Requests">
                {count}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
