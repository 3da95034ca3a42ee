// A chart of curves. Its horizontal axis is the work of a run: time or samples.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

const HEIGHT = 250;
const LABEL_WIDTH = 90; // room for a label of the horizontal axis, in pixels
const COLORS = ['--accent', '--q3', '--q5', '--q2', '--q4', '--q0'];

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const faint = (color) => `color-mix(in srgb, ${color} 22%, transparent)`;

// All curves in one table. The first row is x. Then each curve has three rows: its values, its
// lower bounds and its upper bounds.
function tableOf(series) {
  const tables = series.map(({ x, value, low, high }) => [x, value, low || value, high || value]);
  return uPlot.join(tables);
}

function optionsOf(series, width, xText, yText, xSteps) {
  const lines = series.flatMap(({ name }, i) => {
    const stroke = () => css(COLORS[i % COLORS.length]);
    const bound = { show: true, stroke: 'transparent', width: 0, points: { show: false } };
    return [{ label: name, stroke, width: 2, spanGaps: true, points: { size: 5 } },
      { ...bound, label: `${name} –`, spanGaps: true },
      { ...bound, label: `${name} +`, spanGaps: true }];
  });
  const bands = series.map((_, i) => ({ series: [3 * i + 3, 3 * i + 2],
    fill: () => faint(css(COLORS[i % COLORS.length])) }));
  const axis = { stroke: () => css('--quiet'), grid: { stroke: () => css('--line'), width: 1 },
    ticks: { stroke: () => css('--line'), width: 1 } };
  return {
    width, height: HEIGHT, bands,
    series: [{ value: (_, v) => (v === null ? '' : xText(v)) }, ...lines],
    scales: { x: { time: false } },
    axes: [{ ...axis, space: LABEL_WIDTH, size: 34, ...(xSteps && { incrs: xSteps }),
      values: (_, ticks) => ticks.map(xText) },
      { ...axis, size: 62, values: (_, ticks) => ticks.map(yText) }],
    legend: { show: false },
    cursor: { drag: { x: true, y: false } },
  };
}

// series: [{ name, x, value, low, high }]
// xText, yText: functions that write the numbers of the two axes
// xSteps: the distances that labels of the horizontal axis may have; if absent, any distance
export function Chart({ title, series, xText, yText, xSteps }) {
  const box = useRef();
  const plot = useRef(null);
  const shape = series.map(({ name }) => name).join('|');
  useEffect(() => {
    const width = () => Math.max(200, Math.floor(box.current.clientWidth));
    plot.current = new uPlot(optionsOf(series, width(), xText, yText, xSteps), tableOf(series),
      box.current);
    const observer = new ResizeObserver(() => {
      if (plot.current.width !== width())
        plot.current.setSize({ width: width(), height: HEIGHT });
    });
    observer.observe(box.current);
    // After a change of the theme, the chart is drawn again in the new colors.
    const theme = new MutationObserver(() => plot.current.redraw());
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      observer.disconnect();
      theme.disconnect();
      plot.current.destroy();
      plot.current = null;
    };
  }, [shape, xText, yText]);
  useEffect(() => {
    plot.current.setData(tableOf(series));
  }, [series]);
  const points = series.reduce((sum, { x }) => sum + x.length, 0);
  return (
    <figure class="chart" aria-label={title} data-points={points}>
      <figcaption>
        <b>{title}</b>
        {series.length > 1 && series.map(({ name }, i) => (
          <span key={name}>
            <span class="swatch" style={{ background: `var(${COLORS[i % COLORS.length]})` }} />
            {name}
          </span>
        ))}
      </figcaption>
      <div ref={box} class="plot" aria-hidden="true" />
    </figure>
  );
}
