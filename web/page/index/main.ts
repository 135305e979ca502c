// The first page: its elements, and the address of the engine.

import engineAddress from "lockstep-module.wasm?url";
import { DeviceRun } from "./device-run";

DeviceRun.engineAddress = engineAddress;
customElements.define("lockstep-device-run", DeviceRun);
