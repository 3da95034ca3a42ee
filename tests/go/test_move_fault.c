/* Why a move is forbidden. */
#include "go/drawing.h"
#include "go/move_fault.h"
#include "test.h"

static const char DRAWING[] = ". X O . ."
                              "X O . O ."
                              ". X O . ."
                              ". . . . O"
                              ". . . O .";

static Point named(const char *text) {
    Point point;
    EXPECT_OK(point_parse(text, 5, 5, &point, err));
    return point;
}

TEST(each_reason_is_named) {
    Board board = board_drawn(DRAWING);
    Position position;
    const Rules rules = rules_tromp_taylor();
    EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
    EXPECT_INT(MOVE_LEGAL, move_fault(&position, named("A1")));
    EXPECT_INT(MOVE_LEGAL, move_fault(&position, POINT_PASS));
    EXPECT_INT(MOVE_OCCUPIED, move_fault(&position, named("B4")));
    EXPECT_INT(MOVE_SUICIDE, move_fault(&position, named("E1")));
    EXPECT_INT(MOVE_OFF_BOARD, move_fault(&position, point_at(5, 0)));
    EXPECT_INT(MOVE_OFF_BOARD, move_fault(&position, POINT_NONE));
    EXPECT_OK(position_play(&position, named("C4"), err)); /* captures B4 */
    EXPECT_INT(MOVE_KO, move_fault(&position, named("B4")));
    EXPECT_TEXT("is occupied", move_fault_text(MOVE_OCCUPIED));
    EXPECT_TEXT("", move_fault_text(MOVE_LEGAL));
    position_clear(&position);
}

TEST_MAIN(RUN(each_reason_is_named))
