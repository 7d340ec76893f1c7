// SPDX-License-Identifier: MIT
Jawari : MultiOutUGen {
	*ar { |number = 0 ...sound| ^this.multiNew('audio', number, *sound) }
	init { |...args| inputs = args; ^this.initOutputs(2, rate) }

	*open { |server, number, scene| server.sendMsg(\cmd, \jawari_open, number, scene) }
	*note { |server, number, key, velocity, channel = 1| server.sendMsg(\cmd, \jawari_note, number, key, velocity, channel) }
	*midi { |server, number ...bytes| server.sendMsg(\cmd, \jawari_midi, number, *bytes) }
	*set { |server, number, control, value| server.sendMsg(\cmd, \jawari_set, number, control, value) }
	*panic { |server, number| server.sendMsg(\cmd, \jawari_panic, number) }
}
