"""The board: who has which pin, and what people are told when it does not work out."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from drivers.gpio.button import Button
from drivers.gpio.chip import outputs_outlive_us
from drivers.gpio.light import GpioLight
from drivers.gpio.pins import InputWiring, beam, contact
from drivers.ports import PinFault
from tests.support.drivers.bench_rig import BenchRig, rig_under_test


@pytest.fixture
async def rig() -> BenchRig:
    return rig_under_test()


async def test_two_devices_on_one_pin_are_both_named(rig: BenchRig) -> None:
    """The person who wires must know which two."""
    light = GpioLight(rig.board, "seat 3 light", 5)
    with pytest.raises(PinFault, match="lock-out button: GPIO5 already serves the seat 3 light") as fault:
        Button(rig.board, "lock-out button", contact(5))
    assert fault.value.device == "lock-out button"
    light.close()
    Button(rig.board, "lock-out button", contact(5)).close()


async def test_a_pin_that_another_program_part_holds_is_a_fault(rig: BenchRig) -> None:
    """Even when the holder is not one of this board's devices."""
    light = GpioLight(rig.board, "seat 3 light", 5)
    with pytest.raises(PinFault, match="lock-out button: GPIO5 is in use already"):
        Button(rig.new_board(), "lock-out button", contact(5))
    light.close()


@pytest.mark.parametrize("wire", [contact(99), beam(-1)])
async def test_a_pin_the_board_does_not_have_is_a_fault(rig: BenchRig, wire: InputWiring) -> None:
    """The message names device and pin."""
    with pytest.raises(PinFault, match=f"lock-out button: this board has no GPIO{wire.pin}"):
        Button(rig.board, "lock-out button", wire)


async def test_a_pin_with_a_resistor_of_its_own_is_a_fault_when_pulled_the_other_way(rig: BenchRig) -> None:
    """GPIO2 and GPIO3 are pulled up on every Pi."""
    with pytest.raises(PinFault, match="GPIO2 has a fixed resistor"):
        Button(rig.board, "lock-out button", InputWiring(2, active_high=True, pull_up=False))


async def test_an_error_of_the_metals_own_library_is_a_pin_fault(rig: BenchRig) -> None:
    """lgpio says "GPIO busy" in an exception that gpiozero does not know."""

    class LibraryError(Exception):
        pass

    def busy(*_: object) -> None:
        raise LibraryError("GPIO busy")

    board = type(rig.board)(
        SimpleNamespace(reserve_pins=busy),
        clock=rig.clock,
        loop=rig.board.loop,
        report=rig.said.append,
        pin_errors=(LibraryError,),
    )
    with pytest.raises(PinFault, match="seat 3 light: GPIO5 is held by another program"):
        GpioLight(board, "seat 3 light", 5)


async def test_outputs_lowered_together_are_low_and_the_rest_stays(rig: BenchRig) -> None:
    """What is not open is left alone."""
    outputs = {pin: rig.board.output(f"gate on GPIO{pin}", pin) for pin in (13, 19, 20)}
    for output in outputs.values():
        output.on()
    rig.board.lower((13, 19, 21))
    assert [rig.read(pin) for pin in outputs] == [False, False, True]
    for pin, output in outputs.items():
        output.close()
        rig.board.release(pin)
    rig.board.lower(outputs)


@pytest.mark.parametrize(("switch", "expected"), [("Y\n", True), ("N\n", False), (None, False)])
def test_a_kernel_that_keeps_outputs_after_a_crash_is_noticed(
    tmp_path: Path, switch: str | None, expected: bool
) -> None:
    """Raspberry Pi kernels keep them unless told otherwise, and then a gate could stay open."""
    if switch is not None:
        parameters = tmp_path / "pinctrl_bcm2835" / "parameters"
        parameters.mkdir(parents=True)
        (parameters / "persist_gpio_outputs").write_text(switch)
    assert outputs_outlive_us(tmp_path) is expected
