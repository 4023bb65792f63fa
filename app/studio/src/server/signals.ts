import { useSyncExternalStore } from "react";

/** Whether the server can be asked: it answers, it does not, or nobody is signed in any more. */
type Contact = "answering" | "lost" | "signedOut";

/** What the whole page knows of the server; `epoch` grows when something may have been missed. */
interface ServerState {
  readonly contact: Contact;
  readonly epoch: number;
}

type Listener = () => void;

/** Holds the state and tells who listens; one for the page. */
class ServerSignals {
  private state: ServerState = { contact: "answering", epoch: 0 };
  private readonly listeners = new Set<Listener>();

  readonly read = (): ServerState => this.state;

  readonly listen = (listener: Listener): Listener => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The server answered; whoever shows data reloads it if it was lost before. */
  answered(): void {
    if (this.state.contact === "lost") this.change({ contact: "answering", epoch: this.state.epoch + 1 });
  }

  lost(): void {
    if (this.state.contact === "answering") this.change({ ...this.state, contact: "lost" });
  }

  signedOut(): void {
    this.change({ ...this.state, contact: "signedOut" });
  }

  /** Events may have been missed: what is shown is to be loaded again. */
  missed(): void {
    this.change({ ...this.state, epoch: this.state.epoch + 1 });
  }

  private change(state: ServerState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const signals = new ServerSignals();

export function useServerState(): ServerState {
  return useSyncExternalStore(signals.listen, signals.read);
}
