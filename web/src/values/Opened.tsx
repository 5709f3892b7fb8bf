// An opened value: in the view that fits it, with a choice if there are several.

import { useState } from "react";
import type { Change, Value } from "../api";
import shared from "../parts/parts.module.css";
import { useAnswer } from "../state/requests";
import { Later } from "./Later";
import { changeViewsOf, type OpenedProps, type ValueView, viewsOf } from "./registry";
import { Parts, type Picking } from "./Values";
import styles from "./values.module.css";

const LIST = "list";

interface ChoiceProps {
  path: string;
  views: readonly { name: string; label: string }[];
  chosen: string;
  choose: (name: string) => void;
}

function Choice({ path, views, chosen, choose }: ChoiceProps) {
  return (
    <fieldset className={`${shared.choices} ${styles.viewChoice}`} aria-label={`Show ${path} as`}>
      {views.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** The views that fit an object; null: the server has not said yet. */
function useViews(value: Value, time: number): ValueView[] | null {
  const found = useAnswer("objects/{object}/views", { object: value.object, time });
  if (!found.data && !found.error) return null;
  return viewsOf(found.data?.views ?? []);
}

export function Opened(props: OpenedProps) {
  return props.value.is_long ? <Later load={loadText} props={props} /> : <OpenedObject {...props} />;
}

const loadText = () => import("./LongText");

function OpenedObject(props: OpenedProps) {
  const views = useViews(props.value, props.time);
  return views && <OpenedIn views={views} {...props} />;
}

function OpenedIn({ value, path, views, ...picking }: OpenedProps & { views: ValueView[] }) {
  const [chosen, choose] = useState<string>(views.find((view) => view.preferred)?.name ?? LIST);
  const view: ValueView | undefined = views.find(({ name }) => name === chosen);
  return (
    <>
      {views.length > 0 && (
        <Choice path={path} views={[...views, { name: LIST, label: "List" }]} chosen={chosen} choose={choose} />
      )}
      {view ? (
        <Later key={view.name} load={view.load} props={{ value, path, ...picking }} />
      ) : (
        <Parts object={value.object} known={value.parts} size={value.size} path={path} {...picking} />
      )}
    </>
  );
}

/** What is there after a change: its parts, or a view of what was there beside what is there. */
export function OpenedChange({ change, picking }: { change: Change; picking: Picking }) {
  const views = changeViewsOf(change);
  const [chosen, choose] = useState(views[0]?.name ?? LIST);
  const view = views.find(({ name }) => name === chosen);
  const all = change.became > 0 ? [...views, { name: LIST, label: "List" }] : views;
  return (
    <>
      {all.length > 1 && <Choice path={change.place} views={all} chosen={chosen} choose={choose} />}
      {view ? (
        <Later key={view.name} load={view.load} props={{ change, ...picking }} />
      ) : (
        <Parts object={change.became} path={change.place} {...picking} />
      )}
    </>
  );
}
