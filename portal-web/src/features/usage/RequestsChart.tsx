import { Text } from '@mantine/core';
import classes from './RequestsChart.module.css';
import { hoursOf, hourWords, scaleEnd, type HourOfUse } from './hoursOf.ts';
import { sumOf, statusClasses, statusClassNames, totalsOf, type ClassTotals, type StatusClass } from './statusClasses.ts';
import type { Usage } from './usageQueries.ts';

const height = 100;
const slot = 10;

/** Requests per hour, stacked by class of answer. The figures stand in the table below it for those who would rather read. */
export function RequestsChart({ usage }: { usage: Usage }) {
  const hours = hoursOf(usage);
  const totals = totalsOf(usage.counts);
  const end = scaleEnd(Math.max(...hours.map(({ sum }) => sum)));
  const gap = hours.length > 48 ? 1 : 2;
  return (
    <figure className={classes.figure}>
      <Legend totals={totals} />
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{end}</span>
          <span>{end / 2}</span>
          <span>0</span>
        </div>
        <svg
          className={classes.bars}
          viewBox={`0 0 ${hours.length * slot} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summary(usage, totals)}
        >
          {[0, height / 2, height].map((y) => (
            <line key={y} className={classes.line} x1={0} x2={hours.length * slot} y1={y} y2={y} />
          ))}
          {hours.map((hour, index) => (
            <Bar key={hour.from.getTime()} hour={hour} x={index * slot + gap / 2} width={slot - gap} end={end} />
          ))}
        </svg>
        <div className={classes.times} aria-hidden>
          {[0, Math.floor(hours.length / 2), hours.length - 1].map((index) => (
            <span key={index}>{hours[index] && hourWords(hours[index].from)}</span>
          ))}
        </div>
      </div>
      <Text size="xs" c="dimmed" component="figcaption">
        Requests per hour. Each hour begins at the time shown, in UTC; the last one is not over yet.
      </Text>
    </figure>
  );
}

function Bar({ hour, x, width, end }: { hour: HourOfUse; x: number; width: number; end: number }) {
  return (
    <g>
      <title>{`${hourWords(hour.from)} UTC: ${classWords(hour.totals) || 'no request'}`}</title>
      <rect className={classes.hit} x={x} y={0} width={width} height={height} />
      {partsOf(hour.totals, end).map(({ name, y, size }) => (
        <rect key={name} className={classes[name]} x={x} y={y} width={width} height={size} />
      ))}
    </g>
  );
}

/** The parts of a bar, each on top of the one before. */
function partsOf(totals: ClassTotals, end: number): { name: StatusClass; y: number; size: number }[] {
  let below = 0;
  return statusClassNames
    .filter((name) => totals[name] > 0)
    .map((name) => {
      below += totals[name];
      return { name, y: height - (below / end) * height, size: (totals[name] / end) * height };
    });
}

function Legend({ totals }: { totals: ClassTotals }) {
  return (
    <ul className={classes.legend}>
      {statusClassNames.map((name) => (
        <li key={name}>
          <span className={`${classes.swatch} ${classes[name]}`} aria-hidden />
          {statusClasses[name].word} ({statusClasses[name].range}) <strong>{totals[name]}</strong>
        </li>
      ))}
    </ul>
  );
}

function summary({ hours }: Usage, totals: ClassTotals): string {
  const period = hours === 24 ? 'the last 24 hours' : 'the last 7 days';
  return `${sumOf(totals)} requests in ${period}${sumOf(totals) > 0 ? `: ${classWords(totals)}` : ''}. The table below lists every hour.`;
}

function classWords(totals: ClassTotals): string {
  return statusClassNames
    .filter((name) => totals[name] > 0)
    .map((name) => `${totals[name]} ${statusClasses[name].word.toLowerCase()}`)
    .join(', ');
}
