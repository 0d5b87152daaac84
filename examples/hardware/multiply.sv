// A multiplier of float8_e5m2 (one sign bit, 5 exponent bits with bias 15, 2 trailing bits; infinities and NaN), to nearest
// even with subnormals: combinational, as one would synthesise it.
module e5m2_multiply (
    input  logic [7:0] x,
    input  logic [7:0] y,
    output logic [7:0] z
);
    logic        negative, x_nan, y_nan, x_infinite, y_infinite, x_zero, y_zero;
    logic [5:0]  product;      // of two significands 0.xx or 1.xx: four places after the point
    logic [20:0] significand;  // the product with 20 places after the point, 1.… where it is normal
    logic [2:0]  kept;
    logic        up;
    integer      exponent;
    integer      step;

    always @* begin
        negative   = x[7] ^ y[7];
        x_nan      = x[6:2] == 5'h1f && x[1:0] != 0;
        y_nan      = y[6:2] == 5'h1f && y[1:0] != 0;
        x_infinite = x[6:0] == 7'h7c;
        y_infinite = y[6:0] == 7'h7c;
        x_zero     = x[6:0] == 0;
        y_zero     = y[6:0] == 0;

        // Subnormals have the exponent of the smallest normal, without its hidden bit.
        product     = {3'b0, x[6:2] != 0, x[1:0]} * {3'b0, y[6:2] != 0, y[1:0]};
        exponent    = (x[6:2] != 0 ? x[6:2] : 1) + (y[6:2] != 0 ? y[6:2] : 1) - 15;
        significand = {product, 15'b0};  // as 1/2 of it, so that 3.… fits: one more exponent
        exponent    = exponent + 1;
        for (step = 0; step < 6; step = step + 1)
            if (!significand[20] && exponent > 1) begin
                significand = significand << 1;
                exponent    = exponent - 1;
            end
        // The exponent is −12 at least, and the lowest bit set the 15th: nothing is lost on the right.
        for (step = 0; step < 13; step = step + 1)
            if (exponent < 1) begin
                significand = significand >> 1;
                exponent    = exponent + 1;
            end

        kept = significand[20:18];
        up   = significand[17] && (significand[16:0] != 0 || significand[18]);
        if (up && kept == 3'b111) begin
            kept     = 3'b100;
            exponent = exponent + 1;
        end else if (up) kept = kept + 1;

        if (x_nan || y_nan || x_infinite && y_zero || y_infinite && x_zero) z = 8'h7e;
        else if (x_infinite || y_infinite || kept[2] && exponent >= 31) z = {negative, 7'h7c};
        else z = {negative, kept[2] ? exponent[4:0] : 5'b0, kept[1:0]};
    end
endmodule
